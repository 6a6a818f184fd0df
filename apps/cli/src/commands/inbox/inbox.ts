import { type InboxKind, inboxKinds } from '@svc/facts'
import type { Inbox, InboxCount, InboxItem } from '@svc/sdk'
import { Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { ago } from '../../output/ago.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { newItems } from './new-items.ts'

interface Flags extends JsonFlag {
  readonly count?: true
  readonly watch?: true
  readonly kind?: InboxKind
}

export const inbox: Configure = (command, cli) => {
  const { out } = cli
  jsonFlag(command)
    .addOption(new Option('--count', 'how many, and nothing else').conflicts('watch'))
    .option('--watch', 'each as it comes, a line each, until Ctrl-C')
    .addOption(new Option('--kind <kind>', 'only those of one kind').choices(inboxKinds))
    .action(async ({ json, count, watch, kind }: Flags) => {
      const { client } = await cli.connect()
      if (count) {
        const counted = await client.inbox.count()
        if (json) return out.json(counted)
        out.line(kind === undefined ? totalOf(counted) : shown(counted.by_kind[kind]))
        return
      }
      if (watch) {
        for await (const item of newItems(client, kind))
          out.line(json ? JSON.stringify(item) : cellsOf(item).join('  '))
        return
      }
      const page = await client.inbox.list({ limit: 200, ...(kind && { kind }) })
      if (json) out.json(page)
      else print(cli, page, kind)
    })
}

function print({ out }: Pick<Cli, 'out'>, page: Inbox, kind: InboxKind | undefined): void {
  if (page.items.length === 0) return out.note('Nothing waits for you.')
  out.table(
    [
      { header: 'KIND' },
      { header: 'PROJECT', flexible: true },
      { header: 'TITLE', flexible: true },
      { header: 'WHAT', flexible: true },
      { header: 'SINCE', optional: true },
    ],
    page.items.map((item) => [...cellsOf(item), ago(item.at, Date.now())]),
  )
  const more = (kind === undefined ? page.counts.total : page.counts[kind]) - page.items.length
  if (more > 0) out.note(`${more} more wait.`)
}

const cellsOf = ({ kind, project_name, cr_number, title, phrase }: InboxItem): string[] => [
  kind,
  oneLine(project_name ?? ''),
  oneLine(cr_number === null ? title : `#${cr_number} ${title}`),
  oneLine(phrase),
]

/** The platform counts no further, of a kind. */
const counted = 1_000

const shown = (count: number): string => (count >= counted ? `${count}+` : String(count))

function totalOf({ total, by_kind }: InboxCount): string {
  return Object.values(by_kind).some((count) => count >= counted) ? `${total}+` : String(total)
}
