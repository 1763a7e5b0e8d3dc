Board = tuple[int, list["Piece"]]

def location2index(loc: str) -> tuple[int, int]:
    """converts chess location to corresponding x and y coordinates"""

def index2location(x: int, y: int) -> str:
    """converts pair of coordinates to corresponding location"""

class Piece:
    pos_x: int
    pos_y: int
    side: bool  # True for White and False for Black
    def __init__(self, pos_X: int, pos_Y: int, side_: bool) -> None: ...

def is_piece_at(pos_X: int, pos_Y: int, B: Board) -> bool:
    """checks if there is piece at coordinates pos_X, pos_Y of board B"""

def piece_at(pos_X: int, pos_Y: int, B: Board) -> Piece:
    """returns the piece at coordinates pos_X, pos_Y of board B, which must be there"""

class Bishop(Piece):
    def __init__(self, pos_X: int, pos_Y: int, side_: bool) -> None: ...
    def can_reach(self, pos_X: int, pos_Y: int, B: Board) -> bool:
        """checks if this bishop can move to pos_X, pos_Y on board B by [Rule1] and [Rule3]"""

    def can_move_to(self, pos_X: int, pos_Y: int, B: Board) -> bool:
        """checks if this bishop can move to pos_X, pos_Y on board B by all chess rules"""

    def move_to(self, pos_X: int, pos_Y: int, B: Board) -> Board:
        """returns new board resulting from move of this bishop to pos_X, pos_Y on board B"""

class King(Piece):
    def __init__(self, pos_X: int, pos_Y: int, side_: bool) -> None: ...
    def can_reach(self, pos_X: int, pos_Y: int, B: Board) -> bool:
        """checks if this king can move to pos_X, pos_Y on board B by [Rule2] and [Rule3]"""

    def can_move_to(self, pos_X: int, pos_Y: int, B: Board) -> bool:
        """checks if this king can move to pos_X, pos_Y on board B by all chess rules"""

    def move_to(self, pos_X: int, pos_Y: int, B: Board) -> Board:
        """returns new board resulting from move of this king to pos_X, pos_Y on board B"""

def is_check(side: bool, B: Board) -> bool:
    """checks if configuration of B is check for side"""

def is_checkmate(side: bool, B: Board) -> bool:
    """checks if configuration of B is checkmate for side"""

def is_stalemate(side: bool, B: Board) -> bool:
    """checks if configuration of B is stalemate for side"""

def read_board(filename: str) -> Board:
    """reads board configuration from file in plain format; raises IOError if it is not valid"""

def save_board(filename: str, B: Board) -> None:
    """saves board configuration into file in plain format"""

def find_black_move(B: Board) -> tuple[Piece, int, int]:
    """returns (P, x, y) where a Black piece P can move on B to coordinates x, y"""

def conf2unicode(B: Board) -> str:
    """converts board configuration B to unicode format string"""

def main() -> None:
    """runs the play"""
