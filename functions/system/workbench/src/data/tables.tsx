export function TablesView() { return null; }
