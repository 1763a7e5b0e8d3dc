// Writes source/tabiya/_pieces.py: the vector pieces of the pages, for pictures made by Python. What is for large squares only stays there.
//
//     node python/pieces.mjs > python/source/tabiya/_pieces.py

import { VECTOR } from "../crates/tabiya-web/web/art/vector.js";

console.log('"""The vector pieces, made by python/pieces.mjs from the drawings of the pages."""\n');
console.log("from typing import Dict, List\n");
console.log("# For each kind: outlines to fill, lines to stroke, dots to fill with the colour of details.");
console.log(`PIECES: Dict[str, Dict[str, List[str]]] = ${JSON.stringify(VECTOR, (name, value) => (name === "fine" ? undefined : value), 4).replaceAll("  ", "  ")}`);
