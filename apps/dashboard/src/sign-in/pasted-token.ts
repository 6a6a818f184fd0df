/** A token as it was pasted, perhaps with the line that printed it; null when it cannot be one. */
export function pastedToken(text: string): string | null {
  const token = text.trim().replace(/^(SVC_CLI_TOKEN=|Bearer )/, '')
  return /^[\x21-\x7e]{8,4096}$/.test(token) ? token : null
}
