/** Markdown whose end has not arrived: an open fence, code or emphasis is closed, so that what follows does not flicker. */
export function closeMarkdown(text: string): string {
  const fences = text.match(/^ {0,3}(`{3,}|~{3,})/gm) ?? []
  if (fences.length % 2 === 1) return `${text}\n${(fences.at(-1) ?? '```').trim()}`
  const last = text.slice(text.lastIndexOf('\n\n') + 1)
  const ticks = last.match(/`/g)?.length ?? 0
  if (ticks % 2 === 1) return `${text}\``
  const plain = last.replace(/`[^`]*`/g, '')
  const bold = plain.match(/\*\*/g)?.length ?? 0
  return bold % 2 === 1 ? `${text.trimEnd()}**` : text
}
