/** The help of `retrieve`, which has no command-line library to write it. */
export function retrieveHelp(binary: string): string {
  return `Usage: ${binary} retrieve [options] <query>

Prints what memory holds about the query: the best lines, the files they stand in, and resources.
One JSON object on stdout: {segments, files, resources, notice?}, each best first.

Arguments:
  query                any text; - reads it from standard input

Options:
  --format <format>    json (default), text (what an agent reads at the least cost) or markdown
  --limit <n>          at most n segments, n files and n resources (default 5, at most 100)
  --track <track>      only files of this track: memory or skill
  -h, --help           this help

Files carry the path of a readable copy under ~/.memu/view instead of their content.
"score" orders one answer; "similarity" (cosine) and "text_score" (BM25) are absolute.

Exit codes: 0 done (also where nothing was found), 1 failed, 2 used wrongly.

Examples:
  ${binary} retrieve "how do we deploy to staging"
  ${binary} retrieve --track skill --limit 3 "flaky login test"
  ${binary} retrieve --format text "ERR_X9Q_42"
  git log -1 --format=%B | ${binary} retrieve -
`
}
