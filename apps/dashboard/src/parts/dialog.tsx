import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface Props {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly children: ReactNode
  /** From the lower edge, as a phone wants it. */
  readonly sheet?: boolean
  /** At the right edge, beside what it is about; on a phone from the lower one. */
  readonly drawer?: boolean
}

/** A dialog: the focus stays in it, Escape leaves it, and the button that opened it has the focus again. */
export function Modal({ title, open, onOpenChange, children, sheet = false, drawer = false }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={sheet ? 'dialog sheet' : drawer ? 'dialog drawer' : 'dialog'}>
          <Dialog.Title className="text-16 font-semibold">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ConfirmProps extends Omit<Props, 'sheet' | 'drawer'> {
  readonly verb: string
  readonly busy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
}

/** The question before something that cannot be taken back; its title names the thing. */
export function Confirm({ title, open, onOpenChange, children, verb, busy, error, onConfirm }: ConfirmProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="text-16 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="hint" />}>{children}</AlertDialog.Description>
          <Failure error={error} />
          <div className="actions">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <button type="button" className="button danger" disabled={busy} onClick={onConfirm}>
              {verb}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
