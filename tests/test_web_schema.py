"""Whatever fits the OpenAPI description, and whatever does not, is answered: never by an error of the server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from web_server import Server, serving

from qilin.web.app import application
from qilin.web.hall import Settings

EXAMPLES = int(os.environ.get("QILIN_SCHEMA_EXAMPLES", "6"))  # of each operation; make test-long: 200
DESCRIPTION = schemathesis.openapi.from_dict(application(Settings()).openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("schema")
    with serving(folder, move_seconds=0.05, analysis_seconds=0.05) as running:
        yield running
        assert "Traceback" not in running.log


@DESCRIPTION.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_no_operation_fails(case: schemathesis.Case[Any], server: Server) -> None:
    case.call_and_validate(base_url=server.url, checks=[not_a_server_error])
