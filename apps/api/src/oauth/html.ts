const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is safe in a page. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** A template whose values are escaped, unless they are pages' parts themselves. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | null)[]): Html {
  const text = parts.reduce((whole, part, index) => {
    const value = values[index - 1] ?? null
    return whole + (value === null ? '' : value instanceof Html ? value.text : escapeHtml(value)) + part
  })
  return new Html(text)
}

/** A name that a stranger chose: on one line, without characters that reorder or hide text, and not too long. */
export function singleLine(text: string, max = 80): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return plain.length <= max ? plain : `${plain.slice(0, max)}…`
}
