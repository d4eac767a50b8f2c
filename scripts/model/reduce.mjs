/** From the teacher's vectors to shorter ones by principal components, in float64 and with exactly rounded operations only. */

/** Sweeps over all pairs; the off-diagonal part vanishes after about eight. */
const SWEEPS = 12

/**
 * Centres the rows, leaves out the strongest component (what all words have in common), keeps the next `dimensions`, divides
 * each by the fourth root of its variance (half of a whitening: rarer distinctions count for more), and makes every row one long.
 * @param {readonly Float32Array[]} rows
 * @param {number} dimensions
 * @returns {Float64Array[]}
 */
export function reduce(rows, dimensions) {
  const width = rows[0].length
  const mean = new Float64Array(width)
  for (const row of rows) for (let i = 0; i < width; i++) mean[i] += row[i] / rows.length
  const { values, vectors } = eigen(covariance(rows, mean))
  const axes = vectors.slice(1, dimensions + 1)
  const gains = values.slice(1, dimensions + 1).map((value) => 1 / Math.sqrt(Math.sqrt(value)))
  return rows.map((row) => {
    const centred = Float64Array.from(row, (value, i) => value - mean[i])
    return unit(Float64Array.from(axes, (axis, d) => dot(axis, centred) * gains[d]))
  })
}

/** @param {readonly Float32Array[]} rows @param {Float64Array} mean */
function covariance(rows, mean) {
  const width = mean.length
  const matrix = Array.from({ length: width }, () => new Float64Array(width))
  const centred = new Float64Array(width)
  for (const row of rows) {
    for (let i = 0; i < width; i++) centred[i] = row[i] - mean[i]
    for (let i = 0; i < width; i++) {
      const share = centred[i] / rows.length
      const line = matrix[i]
      for (let j = 0; j <= i; j++) line[j] += share * centred[j]
    }
  }
  for (let i = 0; i < width; i++) for (let j = i + 1; j < width; j++) matrix[i][j] = matrix[j][i]
  return matrix
}

/**
 * Eigenvalues, largest first, and their unit vectors, of a symmetric matrix (which is destroyed): cyclic Jacobi rotations.
 * @param {Float64Array[]} matrix
 */
export function eigen(matrix) {
  const size = matrix.length
  const vectors = Array.from({ length: size }, (_, i) => Float64Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let p = 0; p < size - 1; p++)
      for (let q = p + 1; q < size; q++) {
        if (matrix[p][q] === 0) continue
        const theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        for (let i = 0; i < size; i++) turn(matrix[i], p, q, c, t * c)
        rotate(matrix[p], matrix[q], c, t * c)
        rotate(vectors[p], vectors[q], c, t * c)
      }
  const order = [...vectors.keys()].sort((a, b) => matrix[b][b] - matrix[a][a] || a - b)
  return { values: order.map((i) => matrix[i][i]), vectors: order.map((i) => unit(pointUp(vectors[i]))) }
}

/** Rotates two columns, in one row. @param {Float64Array} row @param {number} p @param {number} q @param {number} c @param {number} s */
function turn(row, p, q, c, s) {
  const a = row[p]
  const b = row[q]
  row[p] = c * a - s * b
  row[q] = s * a + c * b
}

/** Rotates two rows. @param {Float64Array} a @param {Float64Array} b @param {number} c @param {number} s */
function rotate(a, b, c, s) {
  for (let i = 0; i < a.length; i++) {
    const x = a[i]
    const y = b[i]
    a[i] = c * x - s * y
    b[i] = s * x + c * y
  }
}

/** An axis has no direction of its own: the sign is chosen so that its sum is not negative. @param {Float64Array} axis */
function pointUp(axis) {
  return axis.reduce((sum, value) => sum + value, 0) < 0 ? axis.map((value) => -value) : axis
}

/** @param {Float64Array} a */
function unit(a) {
  const length = Math.sqrt(dot(a, a))
  return a.map((value) => value / length)
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
