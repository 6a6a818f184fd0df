import { commentSubject } from './comment-subject.mjs'
import { queriesInDb } from './queries-in-db.mjs'

/** The rules of this tree that no linter brings. */
export default {
  meta: { name: 'svc' },
  rules: { 'comment-subject': commentSubject, 'queries-in-db': queriesInDb },
}
