"""The engine plays itself, weak against strong, and the game is written."""

import tabiya
import tabiya.engine
import tabiya.pgn


def main() -> None:
    board = tabiya.Board()
    players = {
        tabiya.WHITE: tabiya.engine.Tabiya(level=1800),
        tabiya.BLACK: tabiya.engine.Tabiya(level=500),
    }
    while not board.is_game_over(claim_draw=True) and board.ply() < 200:
        move = players[board.turn].play(board).move
        assert move is not None
        board.push(move)
    game = tabiya.pgn.Game.from_board(board)
    game.headers["White"], game.headers["Black"] = "Level 1800", "Level 500"
    print(game)


if __name__ == "__main__":
    main()
