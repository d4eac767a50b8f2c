/** Text about the user that a brief may hold. */
export interface KnowledgeSource {
  /** Markdown without a heading of its own; empty where there is nothing. Never throws: what stands in the way is logged once. */
  text(signal: AbortSignal): Promise<string>
}
