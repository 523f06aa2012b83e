package io.rpcboot.samples.quickstart.api;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param <T> type of the elements
 */
public class Page<T> {

	private int pageNo;

	private int total;

	private @Nullable List<T> result;

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

	public @Nullable List<T> getResult() {
		return this.result;
	}

	public void setResult(@Nullable List<T> result) {
		this.result = result;
	}

	@Override
	public String toString() {
		return "Page[pageNo=" + this.pageNo + ", total=" + this.total + ", result=" + this.result + "]";
	}

}
