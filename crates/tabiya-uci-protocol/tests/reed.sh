# A small engine that keeps the protocol, for examples and tests: it always plays e4, or d4 if it
# was told to stop. With an argument, it shows what it was told in that file.
heard=${1:-/dev/null}
while read -r line; do
    echo "$line" >>"$heard"
    case "$line" in
        uci)
            echo "Reed, a thinking shell"
            echo "id name Reed 2"
            echo "id author a shell"
            echo "option name Hash type spin default 1 min 1 max 64"
            echo "option name Threads type spin default 1 min 1 max 2"
            echo "option name Clear Hash type button"
            echo "uciok"
            ;;
        isready) echo "readyok" ;;
        go*infinite*) echo "info depth 1 score cp 20 pv d2d4" ;;
        go*)
            echo "info depth 1 score cp 10 pv e2e4 e7e5"
            echo "bestmove e2e4 ponder e7e5"
            ;;
        stop) echo "bestmove d2d4" ;;
        quit) exit 0 ;;
    esac
done
