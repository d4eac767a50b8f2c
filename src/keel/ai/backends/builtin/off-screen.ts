/** Whether a task can be done away from the screen, told by its words. Pure. */

/** At the beginning of a title or behind "to": what people do with their hands, feet and voice. */
const AWAY =
  /^(?:please |go (?:and )?|to )*(?:call|phone|ring|visit|meet|walk|run|jog|swim|cycle|stretch|exercise|practi[sc]e|water|clean|wash|vacuum|dust|mop|wipe|tidy|sort|fold|iron|cook|bake|buy|shop|get|pick up|collect|fetch|bring|take|return|post|mail|drop|repair|fix the|mend|mow|plant|prune|feed|brush|pack|unpack|hang|paint|draw|sew|knit|empty|throw|recycle|charge|measure|change the|replace the|read|write (?:a |the )?(?:letter|card|postcard)|talk|ask|thank|tell|congratulate|sleep|rest|nap|meditate|breathe|lie down|sit)\b/i

/** Anywhere in a title. Whoever buys online sits before a screen. */
const SCREEN =
  /\b(?:e-?mails?|mails? to|inbox|online|website|web|url|https?|app|code|coding|deploy\w*|merge|commit|pull request|prs?|pull requests?|review|bugs?|tickets?|jira|github|gitlab|slack|teams|zoom|video call|meeting notes|spreadsheet|excel|slides|presentation|document(?:ation)?|docs?|report|blog|post on|tweet|upload|download|install|configure|server|database|script|api|test suite|tests|backup|password|account|login|pdf|form|invoice|laptop|computer|netflix|youtube|ebook|kindle)\b/i

/** English words alone: what is not known is taken for work at the screen. */
export function isOffScreen(title: string): boolean {
  return AWAY.test(title) && !SCREEN.test(title)
}
