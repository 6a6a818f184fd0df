import { catalogue, type EventType, eventTypes } from '@svc/event'
import { type JsonFlag, jsonFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

export const types: Configure = (command, cli) => {
  jsonFlag(command).action((flags: JsonFlag) => {
    const rows = eventTypes.map((type) => ({ type, text: catalogue[type].text, data: fieldsOf(type) }))
    if (flags.json) return cli.out.json({ types: rows })
    cli.out.table(
      [
        { header: 'TYPE' },
        { header: 'SAYS', flexible: true },
        { header: 'DATA', flexible: true, optional: true },
      ],
      rows.map(({ type, text, data }) => [type, text, data.join(' ')]),
    )
  })
}

const fieldsOf = (type: EventType): readonly string[] => Object.keys(catalogue[type].data.shape)
