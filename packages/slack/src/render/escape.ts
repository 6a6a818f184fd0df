const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The three signs by which Slack tells its own marks from a text. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => signs[sign] ?? '')
}
