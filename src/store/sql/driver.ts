/**
 * What the SQL repository asks of a database: four verbs, and a record of the few places where dialects differ.
 * Placeholders are `?` everywhere; a driver for another database rewrites them.
 */
export type Value = string | number | Uint8Array | null
export type Row = Readonly<Record<string, unknown>>

export interface Driver {
  readonly kind: 'sqlite' | 'postgres'
  readonly location: string
  readonly dialect: Dialect
  all<R = Row>(sql: string, params?: readonly Value[]): Promise<R[]>
  get<R = Row>(sql: string, params?: readonly Value[]): Promise<R | undefined>
  run(sql: string, params?: readonly Value[]): Promise<void>
  /** The same statement for many rows, in order. */
  runMany(sql: string, rows: readonly (readonly Value[])[]): Promise<void>
  /**
   * Runs `use` in one transaction: commits when it resolves, rolls back when it rejects. Never nested: what runs inside uses
   * the driver directly, and no other call of this driver gets in between. A `read` sees one snapshot.
   */
  transaction<T>(mode: 'read' | 'write', use: () => Promise<T>): Promise<T>
  /** What an integrity check of the database found; empty: nothing. */
  check(): Promise<string[]>
  /** A copy of the whole store before a migration, where the database is a file; its path for the message. */
  backup(): Promise<string | undefined>
  close(): Promise<void>
}

export interface Dialect {
  readonly integer: string
  readonly blob: string
  /** A text column that compares by bytes. */
  readonly text: string
  /** Appended to a table whose rows are found by their composite primary key alone. */
  readonly clustered: string
  /** A subselect of the members of one parameter: a JSON array of strings or of integers. */
  readonly strings: string
  readonly integers: string
  /** Whether a table of this name exists: a query with one parameter that gives a row or none. */
  readonly tableExists: string
}
