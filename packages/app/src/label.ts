const longest = 63

export interface Labelled {
  readonly app: string
  readonly project_slug: string
  /** Of the change request that a preview shows; null for production. */
  readonly cr_number: number | null
  /** Tells apart what would have the same name. */
  readonly id: string
}

/** The first labels of an address, the one to take first: a later one where that is taken, or is too long for a host name. */
export function labelsOf({ app, project_slug, cr_number, id }: Labelled): readonly string[] {
  const name = `${app}--${project_slug}${cr_number === null ? '' : `--cr${cr_number}`}`
  const plain = name.toLowerCase().replaceAll('_', '-').replace(/-+$/, '')
  const other = `${plain.slice(0, 40).replace(/-+$/, '')}-${tail(id)}`
  return plain.length <= longest ? [plain, other] : [other]
}

const digits = 'abcdefghijklmnopqrstuvwxyz234567'

/** 8 digits in base 32 (RFC 4648) of the last 40 bits of a UUID. */
function tail(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '').slice(-10)}`)
  let text = ''
  for (let n = 0; n < 8; n += 1) {
    text = digits.charAt(Number(bits & 31n)) + text
    bits >>= 5n
  }
  return text
}

/** The address of a label below the address of apps. */
export function urlOf(apps_url: string, label: string): string {
  const { protocol, host } = new URL(apps_url)
  return `${protocol}//${label}.${host}`
}
