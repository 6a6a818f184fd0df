import { Copy } from '../parts/copy.tsx'
import { Modal } from '../parts/dialog.tsx'

interface Props {
  readonly title: string
  readonly record: unknown
  readonly onClose: () => void
}

/** The record as the API answers it, in a drawer. */
export function RawDrawer({ title, record, onClose }: Props) {
  const text = JSON.stringify(record, null, 2)
  return (
    <Modal title={title} open drawer onOpenChange={(open) => open || onClose()}>
      <pre className="block max-h-none!" tabIndex={0} role="group" aria-label="The record">
        {text}
      </pre>
      <div className="actions">
        <Copy text={text} />
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}
