/**
 * Whether a text may hold a secret. The built-in rules store nothing of such a text: what is not there cannot leak.
 * (Redaction of slices is a gate of its own and comes earlier; this one is the miner's own caution.)
 */
const SECRETS: readonly RegExp[] = [
  /\b(?:pass(?:word|wd|phrase|code)?|pwd|secret|api[ _-]?key|access[ _-]?key|private[ _-]?key|token|credentials?|pin)\b\s*(?:is|are|=|:|for \S+ is|von|ist|は|是|为)\s*\S/i,
  /(?:密码|口令|密钥|パスワード|passwort|kennwort)/i,
  /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|ya29|npm|hf|eyJ)[-_A-Za-z0-9]*[0-9][-_A-Za-z0-9.]{8,}/,
  /:\/\/[^\s/:@]+:[^\s/@]+@/,
  /-----BEGIN [A-Z ]+-----/,
  /\b(?:authorization|bearer|cookie|set-cookie)\b\s*:?\s+\S{8,}/i,
  /\b[A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)\s*=\s*\S+/,
  /--?(?:password|passwd|token|api-key|secret)[= ]\S+/i,
  // A long run of mixed letters and digits is a key or a hash; neither is worth a line.
  /(?<![\w/.-])(?=[A-Za-z+/_-]*\d)(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w/.-])/,
]

export function mayHoldSecret(text: string): boolean {
  return SECRETS.some((pattern) => pattern.test(text))
}
