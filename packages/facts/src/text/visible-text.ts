/** Signs that turn the direction of what follows: embeddings, overrides and isolates of Unicode. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * The text with such signs written out. A command, a line of code or a name of a file can show by them something else than what
 * it is (CVE-2021-42574); a person decides by what they see.
 */
export const visibleText = (text: string): string =>
  text.replace(turning, (sign) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase()}⟩`)
