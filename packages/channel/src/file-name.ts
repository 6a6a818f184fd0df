const maxChars = 120

/**
 * Names of files that came from outside, as those of files in one folder: of `[A-Za-z0-9._-]` alone, up to 120 characters, no
 * two the same, and none that hides itself, leads elsewhere or looks like an option of a command.
 */
export function fileNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = plainName(name)
    for (let n = 1; ; n += 1) {
      const candidate = n === 1 ? shortName(plain) : shortName(plain, `-${n}`)
      // A file system may take capitals for small letters.
      const key = candidate.toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return candidate
    }
  })
}

function plainName(name: string): string {
  const [last = ''] = name
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .slice(-1)
  const plain = last
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^[.-]+/, '')
  const [base, extension] = parts(plain)
  return /[A-Za-z0-9]/.test(base) ? plain : `file${extension}`
}

/** With `mark` before its extension, which stays where it is one of a few characters. */
function shortName(name: string, mark = ''): string {
  const [base, extension] = parts(name)
  return `${base.slice(0, maxChars - mark.length - extension.length)}${mark}${extension}`
}

function parts(name: string): [string, string] {
  const [, base = name, extension = ''] = /^(.+?)((?:\.[A-Za-z0-9]{1,8}){1,2})$/.exec(name) ?? []
  return [base, extension]
}
