import { ActionTable, type ActionTableProps } from '../../parts/action-table.tsx'

/** A list of the operator's surface. What is done there is asked of a worker, which may take a while. */
export function AdminTable<T>({ actions = [], ...props }: Omit<ActionTableProps<T>, 'queryKey'>) {
  return (
    <ActionTable
      {...props}
      queryKey={['admin']}
      actions={actions.map((action) => ({ ...action, done: action.done ?? `${action.label}: asked for.` }))}
    />
  )
}
