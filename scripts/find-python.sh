# Sourced by the scripts beside it, which set $here: find_python sets $python, or says in one line why there is none.
# Each candidate is run, for a name on the PATH may be a shim with no Python behind it.

find_python() {
    if [ -n "${PYTHON-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11 python
    fi
    found=
    for python; do
        answer=$("$python" -I -X utf8 "$here/bootstrap.py" probe 2>/dev/null </dev/null) || :
        if [ "$answer" = ok ]; then return 0; fi
        if [ -n "$answer" ]; then found="$found; $python: $answer"; fi
    done
    found=${found#; }
    echo "schneider-sim needs Python 3.11 to 3.14 (found ${found:-no Python that runs as $*}):" \
        "install one, or name it with PYTHON=/path/to/python" >&2
    exit 1
}
