//! Names as they are compared.

use tabiya_base::fold;

/// ` (Tal – Smith)`, or nothing if nobody is named.
pub(super) fn players(white: &str, black: &str) -> String {
    let name = |name: &str| match name {
        "" => "?".to_owned(),
        name => tabiya_base::excerpt(name),
    };
    match (white, black) {
        ("", "") => String::new(),
        _ => format!(" ({} – {})", name(white), name(black)),
    }
}

/// How a family name sounds (Soundex): names that sound alike have the same. The family name is what
/// stands before a comma, else the last word.
pub(super) fn sound(name: &str) -> String {
    let folded = fold(name);
    let family = match folded.split_once(',') {
        Some((family, _)) => family,
        None => folded.split_whitespace().next_back().unwrap_or_default(),
    };
    // One sound, in the spelling of several languages.
    let family = ["tsch", "tch", "sch", "ch", "sh", "ts", "tz"]
        .iter()
        .fold(family.to_owned(), |name, spelling| name.replace(spelling, "s"));
    let letters = family.chars().filter(char::is_ascii_lowercase);
    let mut sound = String::new();
    let mut before = '0';
    for letter in letters {
        let group = match letter {
            'b' | 'f' | 'p' | 'v' | 'w' => '1',
            'c' | 'g' | 'j' | 'k' | 'q' | 's' | 'x' | 'z' => '2',
            'd' | 't' => '3',
            'l' => '4',
            'm' | 'n' => '5',
            'r' => '6',
            // They do not part two of a group.
            'h' | 'y' if !sound.is_empty() => continue,
            _ => '0',
        };
        if sound.is_empty() {
            // Alekhine and Aljechin begin alike, and so do Korchnoi and Kortschnoi, Wolf and Volf.
            sound.push(if group == '0' { letter } else { group });
        } else if group != '0' && group != before {
            sound.push(group);
        }
        before = group;
        if sound.len() == 5 {
            break;
        }
    }
    sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_sound_alike() {
        for (one, other) in [
            ("Petrosian, Tigran", "Tigran Petrosjan"),
            ("Tchigorin", "Tschigorin"),
            ("Smyslov,V", "Smislow"),
            ("Botvinnik", "Botwinnik, Mikhail"),
            ("Korchnoi", "Kortchnoi"),
        ] {
            assert_eq!(sound(one), sound(other), "{one} {other}");
        }
        for (one, other) in [("Tal", "Spassky"), ("Fischer", "Karpov"), ("Anand", "Adams")] {
            assert_ne!(sound(one), sound(other), "{one} {other}");
        }
        assert_eq!(sound(""), "");
    }
}
