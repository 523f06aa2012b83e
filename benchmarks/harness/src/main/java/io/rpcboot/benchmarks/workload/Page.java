package io.rpcboot.benchmarks.workload;

import java.io.Serializable;
import java.util.List;

import org.jspecify.annotations.NullUnmarked;

/**
 * A page of the workload.
 *
 * @param <T> what it lists
 */
@NullUnmarked
public class Page<T> implements Serializable {

	private static final long serialVersionUID = 1L;

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

}
