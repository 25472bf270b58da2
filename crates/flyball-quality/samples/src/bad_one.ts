export function total(prices: number[], discount: number): number {
  let sum = 0;
  for (const price of prices) {
    const reduced = price - price * discount;
    if (reduced > 0) {
      sum += Math.round(reduced * 100) / 100;
    }
  }
  const shipping = sum > 50 ? 0 : 4.9;
  const insurance = sum > 500 ? sum * 0.01 : 0;
  return Math.round((sum + shipping + insurance) * 100) / 100;
}
