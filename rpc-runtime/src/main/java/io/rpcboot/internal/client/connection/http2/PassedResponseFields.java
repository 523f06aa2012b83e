package io.rpcboot.internal.client.connection.http2;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.protocol.http2.HeaderField;

/** Header fields of responses that a relay passes on, all of them as they arrived. */
final class PassedResponseFields extends ResponseFields {

	private List<HeaderField> all = new ArrayList<>();

	/** Returns all fields of the block, which the caller may keep. */
	List<HeaderField> all() {
		return this.all;
	}

	@Override
	void accept(HeaderField field) {
		this.all.add(field);
		super.accept(field);
	}

	@Override
	void clear() {
		this.all = new ArrayList<>();
		super.clear();
	}

}
