import { total } from "../src/order";

export default function Page() {
  return <main>{total({ id: "1", lines: [] }, () => 0)}</main>;
}
