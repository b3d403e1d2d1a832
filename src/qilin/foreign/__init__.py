"""Files of other programs that hold one game only: a module for each game, which offers them as `FORMATS`."""
