package io.rpcboot.serialization.fory;

import java.io.ByteArrayOutputStream;

import org.junit.jupiter.api.condition.DisabledIf;

import io.rpcboot.serialization.AbstractReadBudgetContract;

/** What the worst bytes of Fory may take. */
@DisabledIf("io.rpcboot.serialization.fory.ForyAccess#isDenied")
class ForyReadBudgetTests extends AbstractReadBudgetContract {

	ForyReadBudgetTests() {
		super(new ForySerializer());
	}

	/** Present, how many, not reversed; each is present. */
	@Override
	protected byte[] emptyBeans(int count) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.write(1);
		int rest = count;
		for (; rest > 0x7f; rest >>>= 7) {
			out.write(rest & 0x7f | 0x80);
		}
		out.write(rest);
		out.write(0);
		for (int i = 0; i < count; i++) {
			out.write(1);
		}
		return out.toByteArray();
	}

}
