package io.rpcboot.workload;

import java.util.List;
import java.util.Objects;

/**
 * A page of the workload.
 *
 * @param <T> what it lists
 */
public class Page<T> {

	private int pageNo;

	private int total;

	private List<T> result;

	public int getPageNo() {
		return this.pageNo;
	}

	public void setPageNo(int pageNo) {
		this.pageNo = pageNo;
	}

	public int getTotal() {
		return this.total;
	}

	public void setTotal(int total) {
		this.total = total;
	}

	public List<T> getResult() {
		return this.result;
	}

	public void setResult(List<T> result) {
		this.result = result;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Page<?> that && this.pageNo == that.pageNo && this.total == that.total
				&& Objects.equals(this.result, that.result);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.pageNo, this.total, this.result);
	}

	@Override
	public String toString() {
		return "Page[" + "pageNo=" + this.pageNo + ", " + "total=" + this.total + ", " + "result=" + this.result + "]";
	}

}
