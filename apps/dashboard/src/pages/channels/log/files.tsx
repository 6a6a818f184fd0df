import { sizeWords } from '@svc/facts'
import type { ChannelDelivery } from '@svc/sdk'

/** The files of a message, each with its size, or with the reason for which it was left out. */
export function Files({ files }: Pick<ChannelDelivery, 'files'>) {
  if (files.length === 0) return null
  return (
    <ul className="font-normal">
      {files.map(({ name, bytes, left_out }, index) => (
        <li key={index} className="break-all">
          {name}{' '}
          <span className="faint">{left_out === null ? sizeWords(bytes) : `left out: ${left_out}`}</span>
        </li>
      ))}
    </ul>
  )
}
