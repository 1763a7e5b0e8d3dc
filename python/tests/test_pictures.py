"""What notebooks draw: boards, moves, nodes, games, reviews, and curves of evaluations."""

import io
import xml.etree.ElementTree as xml

import pytest

import tabiya
import tabiya.pgn
import tabiya.review
import tabiya.svg

SVG = "{http://www.w3.org/2000/svg}"
EVALUATED = (
    '[White "<Ada>"]\n[Black "B & C"]\n[Result "1-0"]\n\n'
    "1. e4 { [%eval 0.3] [%cal Ge2e4] } 1... e5 { [%eval 0.2] } 2. Qh5 { [%eval -0.5] } 2... Ke7 { [%eval #1] } "
    "3. Qxe5# 1-0"
)


def game():
    return tabiya.pgn.read_game(io.StringIO(EVALUATED))


def pieces(picture):
    return [use.get("href") for use in xml.fromstring(picture).iter(f"{SVG}use")]


def with_class(picture, name):
    return [one for one in xml.fromstring(picture).iter() if name in (one.get("class") or "").split()]


def test_a_move_is_an_arrow():
    picture = tabiya.Move.from_uci("g1f3")._repr_svg_()
    assert len(with_class(picture, "arrow")) == 2 and not pieces(picture)
    assert pieces(tabiya.Move.from_uci("e2e1n")._repr_svg_()) == ["#black-knight"]
    assert pieces(tabiya.Move.from_uci("Q@d4")._repr_svg_()) == ["#white-queen"]
    assert not with_class(tabiya.Move.null()._repr_svg_(), "arrow")


def test_a_node_is_its_position_with_its_move():
    node = game().next()
    picture = node._repr_svg_()
    assert len(pieces(picture)) == 32 and len(with_class(picture, "arrow")) == 2
    moved = {tuple(one.get("class").split())[-1] for one in with_class(picture, "lastmove")}
    assert moved == {"e2", "e4"}
    # The king of the end is in check.
    assert with_class(game().end()._repr_svg_(), "check") and not with_class(picture, "check")
    assert len(pieces(tabiya.pgn.Game()._repr_svg_())) == 32


def test_a_game_is_its_end_with_names_moves_and_curve():
    # HTML knows <br> without an end.
    html = xml.fromstring(game()._repr_html_().replace("<br>", "<br/>"))
    text = "".join(html.itertext())
    assert "<Ada> – B & C" in text and "1. e4" in text and "Qxe5#" in text
    drawings = list(html.iter(f"{SVG}svg"))
    assert len(drawings) == 2 and len(list(drawings[1].iter(f"{SVG}title"))) == 4
    plain = tabiya.pgn.read_game(io.StringIO("1. e4 *"))
    assert len(list(xml.fromstring(plain._repr_html_().replace("<br>", "<br/>")).iter(f"{SVG}svg"))) == 1
    xml.fromstring(game()._repr_svg_())


def test_a_review_is_its_picture_and_its_sentences():
    review = tabiya.review.review(game(), nodes=1000)
    html = xml.fromstring(review._repr_html_())
    lines = ["".join(line.itertext()) for line in html.iter("li")]
    assert lines == str(review).splitlines() and any("Ke7" in line for line in lines)
    assert len(list(html.iter(f"{SVG}svg"))) == 1
    xml.fromstring(review._repr_svg_())


def test_the_curve_of_a_game():
    picture = xml.fromstring(tabiya.svg.graph(game(), width=400, height=100))
    titles = [title.text for title in picture.iter(f"{SVG}title")]
    assert titles == ["1. e4 +0.30", "1... e5 +0.20", "2. Qh5 -0.50", "2... Ke7 #+1"]
    [line] = picture.iter(f"{SVG}polyline")
    places = [tuple(map(float, place.split(","))) for place in line.get("points").split()]
    assert [x for x, _ in places] == [100, 200, 300, 400]
    heights = [y for _, y in places]
    # Better for White is higher, a mate nearly at the top.
    assert heights[3] < 5 < heights[0] < heights[1] < 50 < heights[2] < 100
    with pytest.raises(ValueError, match="two evaluations at least.*here are 0"):
        tabiya.svg.graph(tabiya.pgn.Game())


def test_pieces_can_be_drawn_otherwise(monkeypatch):
    monkeypatch.setitem(tabiya.svg.PIECES, "K", '<g id="white-king"><circle r="7"/></g>')
    board = tabiya.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    picture = tabiya.svg.board(board, squares=[tabiya.A1, tabiya.H8], check=tabiya.E1)
    assert '<circle r="7"/>' in picture and "circle" in tabiya.svg.piece(tabiya.Piece.from_symbol("K"))
    assert len(with_class(picture, "mark")) == 2 and pieces(picture).count("#xx") == 2
    assert picture.count("check_gradient") == 2
    assert {one.text for one in xml.fromstring(picture).iter(f"{SVG}text")} == set("abcdefgh12345678")
