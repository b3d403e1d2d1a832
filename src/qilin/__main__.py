"""`python -m qilin` is `qilin`."""

from qilin.cli import main

main()
