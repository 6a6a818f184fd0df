import { textOf } from '../body.ts'

const variable = /\{\{([^{}]{1,128})\}\}/g

/** A variable of Postman's own begins with `$`; as an argument it is called without. */
export const argOf = (name: string): string => name.trim().replace(/^\$/, '')

/** Names of the arguments in a text, in their order. */
export function argsIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => argOf(name))
}

/** The text with a value at each variable, as `encode` writes it. */
export function filled(
  text: string,
  valueOf: (arg: string) => unknown,
  encode: (text: string) => string = (plain) => plain,
): string {
  return text.replace(variable, (_, name: string) => encode(textOf(valueOf(argOf(name)))))
}

/** JSON: inside a string a value is escaped, elsewhere it is written as a value, so that none can end what it stands in. */
export function filledJson(text: string, valueOf: (arg: string) => unknown): string {
  return walked(text, (arg, inString) => {
    const value = valueOf(arg)
    return inString ? JSON.stringify(textOf(value)).slice(1, -1) : JSON.stringify(value ?? null)
  })
}

/** Arguments that stand in a JSON text as a value of their own, and may be of any kind. */
export function valueArgsIn(text: string): Set<string> {
  const found = new Set<string>()
  walked(text, (arg, inString) => {
    if (!inString) found.add(arg)
    return ''
  })
  return found
}

function walked(text: string, write: (arg: string, inString: boolean) => string): string {
  let inString = false
  return text.replace(/\{\{([^{}]{1,128})\}\}|\\[^]|"/g, (token, name?: string) => {
    if (name !== undefined) return write(argOf(name), inString)
    if (token === '"') inString = !inString
    return token
  })
}

export function escapedXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
}
