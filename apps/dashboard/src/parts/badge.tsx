const tones: Readonly<Record<string, 'good' | 'bad' | 'busy'>> = {
  running: 'good',
  fired: 'good',
  open: 'good',
  completed: 'good',
  merged: 'busy',
  queued: 'busy',
  branching: 'busy',
  provisioning: 'busy',
  failed: 'bad',
  refused: 'bad',
}

/** A status, by its own name; the colour only repeats it. */
export function Badge({ status }: { readonly status: string }) {
  return <span className={`badge ${tones[status] ?? 'plain'}`}>{status}</span>
}
