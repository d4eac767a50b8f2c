/**
 * What the SQL repository asks of a database: four verbs, and a record of the few places where dialects differ.
 * Placeholders are `?` everywhere; a driver for another database rewrites them.
 */
export type Value = string | number | Uint8Array | null
export type Row = Readonly<Record<string, unknown>>

/** Files of rows that are appended to and read from their beginning (see sqlite/row-file.ts). */
export interface RowFiles {
  /** The name of a new, empty file. Files of this database under other names than these are removed. */
  create(keep: readonly string[]): string
  /** Bytes of a file; 0 where there is none. */
  size(name: string): number
  /** Writes at a place, and onto the disk before it returns. What was skipped reads as zeros. */
  write(name: string, position: number, bytes: Uint8Array): void
  /**
   * Reads the first `length` bytes through `buffer`, a piece at a time, each valid until the next. False where the file does not have
   * them or cannot be read; pieces may have been given before that shows.
   */
  read(name: string, length: number, buffer: Uint8Array, use: (piece: Uint8Array, position: number) => void): boolean
}

export interface Driver {
  readonly kind: 'sqlite' | 'postgres'
  readonly location: string
  readonly dialect: Dialect
  /** Files beside the database for copies that read faster, where it has such a place. */
  readonly rowFiles?: RowFiles
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
