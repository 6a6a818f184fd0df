import { commands } from '../pages/index.ts'
import { Modal } from '../parts/dialog.tsx'

interface Props {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

const everywhere = [
  ['Ctrl K or ⌘K', 'Command palette'],
  ['n', 'Next that needs me'],
  ['?', 'These shortcuts'],
] as const

const review = [
  ['j', 'Next file'],
  ['k', 'File before'],
  ['v', 'Viewed'],
  ['e', 'Fold or unfold'],
  ['r', 'Request changes'],
  ['m', 'Merge (asks first)'],
] as const

/** The keys, in one place. */
export function Shortcuts({ open, onOpenChange }: Props) {
  const places = commands.flatMap(({ keys, label }) => (keys === undefined ? [] : [[keys, label] as const]))
  return (
    <Modal title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange}>
      <Keys title="Everywhere" keys={[...everywhere, ...places]} />
      <Keys title="In a change request" keys={review} />
      <Keys title="While writing" keys={[['Ctrl ↵ or ⌘↵', 'Send']]} />
    </Modal>
  )
}

function Keys({
  title,
  keys,
}: {
  readonly title: string
  readonly keys: readonly (readonly [string, string])[]
}) {
  return (
    <section>
      <h2 className="mb-1">{title}</h2>
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="key">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
