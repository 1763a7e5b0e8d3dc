-- A file as Tabiya wrote it in format 4.
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('chess', 'bishops')),
    start TEXT NOT NULL,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    control TEXT,
    seed INTEGER NOT NULL,
    take_backs INTEGER NOT NULL,
    date TEXT,
    result TEXT NOT NULL DEFAULT '*',
    ending TEXT NOT NULL DEFAULT '',
    -- How it was called in the record it came from, and that record, until somebody plays on.
    event TEXT,
    record TEXT,
    -- Milliseconds since 1970.
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER
) STRICT;
CREATE INDEX games_by_time ON games (updated DESC);
CREATE TABLE moves (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ply INTEGER NOT NULL,
    code TEXT NOT NULL,
    -- What was left on the clocks after the move, in milliseconds.
    white INTEGER,
    black INTEGER,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE studies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    -- The whole tree, the node one stands at, and how often it was edited.
    pgn TEXT NOT NULL,
    here INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER
) STRICT;
CREATE INDEX studies_by_time ON studies (updated DESC);
-- Games between people at two machines.
CREATE TABLE friends (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    -- The seat that was kept free for somebody who had still to come.
    seat TEXT CHECK (seat IN ('white', 'black')),
    -- By what the one who took it is known again, should the answer have been lost; nothing while it is free.
    guest TEXT,
    -- The game in which they play on.
    next INTEGER
) STRICT;
CREATE TABLE reviews (
    -- The fingerprint of start, moves, times and settings.
    key TEXT PRIMARY KEY,
    -- The game with the review in it.
    record TEXT NOT NULL,
    made INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_by_time ON reviews (made DESC);
INSERT INTO games VALUES (1,'chess','rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1','human:Ada','tabiya:1200','5+3',7,1,'2026.11.01','1-0','Black resigns: White wins',NULL,NULL,1761990000000,1761990500000,NULL);
INSERT INTO games VALUES (2,'chess','rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1','human:Morphy, Paul','human',NULL,0,1,'1858.11.02','*','','Opera','[Event "Opera"]

1. e4 *
',1761990000000,1761990600000,NULL);
INSERT INTO games VALUES (3,'chess','rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1','human:Zoe','human:Ada',NULL,0,1,'2026.11.01','*','',NULL,NULL,1761990000000,1761990700000,99999999999999);
INSERT INTO moves VALUES (1,1,'e2e4',300000,300000);
INSERT INTO moves VALUES (1,2,'e7e5',300000,299000);
INSERT INTO games VALUES (4,'chess','rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1','human:Zoe','human',NULL,0,1,'2026.11.01','*','',NULL,NULL,1761990000000,1761990000000,NULL);
INSERT INTO moves VALUES (3,1,'d2d4',NULL,NULL);
INSERT INTO moves VALUES (2,1,'e2e4',NULL,NULL);
INSERT INTO friends VALUES (1,'black','a mark',NULL);
INSERT INTO studies VALUES (1,'Ends','1. e4 *',1,1,1761990000000,1761990000000,NULL);
INSERT INTO reviews VALUES ('3f2a','1. e4 {[%eval 0.20]} *',1761990000000);
PRAGMA application_id = 1415739745;
PRAGMA user_version = 4;
