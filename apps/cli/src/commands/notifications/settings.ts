import { type NotificationKind, notificationKinds, type NotificationWay, notificationWays } from '@svc/facts'
import { InvalidArgumentError } from 'commander'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

type Changes = Partial<Record<NotificationKind, Partial<Record<NotificationWay, boolean>>>>

export const settings: Configure = (command, cli) => {
  command.argument(
    '[changes...]',
    `<kind>.<way>=on|off, such as cr_merged.email=on; ways are ${notificationWays.join(', ')}`,
    change,
    {},
  )
  jsonFlag(command).action(async (changes: Changes, { json }: JsonFlag) => {
    const { client } = await cli.connect()
    const { notifications } = client
    const isChange = Object.keys(changes).length > 0
    const shown = isChange
      ? await notifications.updateSettings({ kinds: changes })
      : await notifications.settings()
    if (json) return cli.out.json(shown)
    cli.out.table(
      [{ header: 'KIND' }, ...notificationWays.map((way) => ({ header: way.toUpperCase() }))],
      notificationKinds.map((kind) => [
        kind,
        ...notificationWays.map((way) => (shown.kinds[kind][way] ? 'on' : 'off')),
      ]),
    )
  })
}

const isKind = (text: string): text is NotificationKind => notificationKinds.some((kind) => kind === text)
const isWay = (text: string): text is NotificationWay => notificationWays.some((way) => way === text)

function change(text: string, others: Changes): Changes {
  const [, kind = '', way = '', state] = /^([^.=]+)\.([^.=]+)=(on|off)$/.exec(text) ?? []
  if (state === undefined) throw new InvalidArgumentError('give it as <kind>.<way>=on or <kind>.<way>=off.')
  if (!isKind(kind))
    throw new InvalidArgumentError(`${kind} is no kind; they are ${notificationKinds.join(', ')}.`)
  if (!isWay(way))
    throw new InvalidArgumentError(`${way} is no way; they are ${notificationWays.join(', ')}.`)
  return { ...others, [kind]: { ...others[kind], [way]: state === 'on' } }
}
