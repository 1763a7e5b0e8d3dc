use tabiya_chess::Game;

/// So many moves by chance that do not end the game.
pub(crate) fn random_game(seed: u64, plies: usize) -> Vec<String> {
    let mut random = tabiya_base::Random::new(seed);
    loop {
        let mut game = Game::new();
        let mut codes = Vec::new();
        while codes.len() < plies && game.outcome().is_none() {
            let moves = game.position().legal_moves();
            let chosen = moves[random.below(moves.len())];
            codes.push(game.position().uci(chosen));
            if game.play(chosen).is_err() {
                break;
            }
        }
        if codes.len() == plies && game.outcome().is_none() {
            return codes;
        }
    }
}
