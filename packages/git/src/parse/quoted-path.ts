const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

/** A path as git prints it: as it is, or in quotes with C escapes, octal for bytes that are not ASCII. */
export function unquotePath(text: string): string {
  if (!text.startsWith('"')) return text
  const bytes: number[] = []
  const pattern = /\\([0-7]{3})|\\(.)|([^\\])/gsu
  for (const [, octal, escaped, plain] of text.slice(1, -1).matchAll(pattern)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (escaped !== undefined) bytes.push(escapes[escaped] ?? escaped.charCodeAt(0))
    else bytes.push(...Buffer.from(plain ?? ''))
  }
  return Buffer.from(bytes).toString('utf8')
}
