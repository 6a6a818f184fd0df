import { migrations } from '../../src/index.ts'
import { type MigrationFile, numbered } from '../../src/schema/migration.ts'

/** The schema of this build, and then these. */
export const andThen = (files: Record<string, MigrationFile>) => [
  ...migrations,
  ...numbered(files).map((one) => ({ ...one, level: one.level + migrations.length })),
]

/** A table of 12,000 rows, whose marks are then counted up once each. */
export const marked = andThen({
  a: {
    statements: [
      'create table marked (id integer primary key, marks integer not null default 0)',
      'insert into marked select generate_series(1, 12000)',
    ],
  },
  b: {
    backfill: `with due as (select id from marked where id > coalesce($1, '0')::integer order by id limit $2),
      moved as (update marked set marks = marks + 1 from due where marked.id = due.id returning marked.id)
      select max(id)::text as cursor, count(*) as rows from moved`,
    statements: ['alter table marked add constraint marked_marks check (marks = 1)'],
  },
})
