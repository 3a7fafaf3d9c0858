export function ReviewView() { return null; }
