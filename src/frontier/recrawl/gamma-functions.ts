// Derivatives of the logarithm of the gamma function, to about eight digits, for positive arguments.

export function digamma(x: number): number {
  let sum = 0
  for (; x < 6; x++) sum -= 1 / x
  const square = 1 / (x * x)
  return sum + Math.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252))
}

export function trigamma(x: number): number {
  let sum = 0
  for (; x < 6; x++) sum += 1 / (x * x)
  const square = 1 / (x * x)
  return sum + 1 / x + square / 2 + (square / x) * (1 / 6 - square * (1 / 30 - square / 42))
}

/** Accurate to about 3%, which is enough for a prior: trigamma(x) is nearly 1/x + 0.65/x^2. */
export function inverseTrigamma(value: number): number {
  return 1.3 / (Math.sqrt(1 + 2.6 * value) - 1)
}
