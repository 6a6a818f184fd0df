import { Copy } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'

/** The value of a token that was made just now. */
export function ShownOnce({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <>
      <Field
        label="New token value"
        value={token}
        onChange={() => undefined}
        readOnly
        hint="Shown this once. Keep it where only its user reads it."
      />
      <div className="actions">
        <Copy text={token} />
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  )
}
