import type { Capability } from '@svc/facts'
import type { ComponentProps } from 'react'
import { useRefusal } from '../frame/use-can.ts'
import { toast } from './toast.tsx'

interface Props extends ComponentProps<'button'> {
  /** The capability that the API asks for; none where it asks for no more than the page itself. */
  readonly needs: Capability | undefined
}

/**
 * A button for what not each reader may do. Where the API would refuse, it is seen but disabled, with the reason as its
 * description; it keeps the focus, and pressed says the reason to those who see no tooltip.
 */
export function GuardedButton({ needs, type = 'button', title, onClick, disabled, ...rest }: Props) {
  const refusal = useRefusal(needs)
  if (refusal === null) return <button {...{ type, title, onClick, disabled }} {...rest} />
  return <button {...rest} type="button" aria-disabled title={refusal} onClick={() => toast(refusal)} />
}
