export const HELP = `Usage: keeld [options]

Proposes one thing to do away from the screen, on a page at http://localhost:7777.

Options:
  --port <number>   the port of the page; 0: any that is free (default: 7777)
  --demo            with sample tasks, goals and history; nothing of yours is read or written
  --open            open the page in the browser; that of one that runs already too
  --allow-remote    listen on the address of KEEL_ADDR although other machines reach it; needs KEEL_TOKEN
  -V, --version     print the version
  -h, --help        print this help

Environment:
  KEEL_ADDR           where to listen, like localhost:7777
  KEEL_TOKEN          asked for on every visit
  KEEL_ALLOWED_HOSTS  names that the page is reached by behind a proxy, with commas between them; needs KEEL_TOKEN
  KEEL_CONFIG         the file with the settings; the page shows what else can be set

Examples:
  keeld --demo --open
  keeld --port 8080

Ctrl-C stops it; a second one ends it at once. Exit codes: 0 stopped, 1 failed, 2 used wrongly.
`
