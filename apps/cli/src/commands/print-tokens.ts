import type { MintedToken, Token } from '@svc/sdk'
import type { Cli } from '../cli.ts'
import { ago } from '../output/ago.ts'
import { oneLine } from '../output/plain.ts'

/** The secret alone on stdout, so that a script can keep it; the notes on it on stderr. */
export function printMinted({ out }: Cli, minted: MintedToken): void {
  out.line(minted.token)
  const until = minted.expires_at === null ? 'and does not expire' : `until ${minted.expires_at}`
  out.note(`${oneLine(minted.name)} (${minted.token_id}) holds ${until}. It is not shown again.`)
}

export function printTokens({ out }: Cli, tokens: readonly Token[]): void {
  if (tokens.length === 0) return out.note('None yet.')
  out.table(
    [
      { header: 'NAME', flexible: true },
      { header: 'BEGINS WITH' },
      { header: 'EXPIRES', optional: true },
      { header: 'USED', optional: true },
      { header: 'ID' },
    ],
    tokens.map(({ token_id, name, prefix, expires_at, last_used_at }) => [
      oneLine(name),
      prefix,
      expires_at ?? 'never',
      last_used_at === null ? 'never' : ago(last_used_at, Date.now()),
      token_id,
    ]),
  )
}
