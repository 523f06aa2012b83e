package io.rpcboot.internal.serialization.protobuf;

import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.internal.serialization.types.graph.Aliases;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Parameters of a method as the fields of its request.
 *
 * @param path name of the request in the lock, such as {@code com.acme.Orders/Search}
 * @param members parameters, numbered in their order
 * @param isNamed true if the interface was compiled with the names of parameters
 * @param isBare true if the only parameter is the request itself
 */
record RequestParameters(String path, List<ContractMember> members, boolean isNamed, boolean isBare) {

	/**
	 * Returns the parameters of a method.
	 * @param service full name of its service
	 */
	static RequestParameters of(String service, MethodDescriptor method) {
		List<ContractMember> members = new ArrayList<>();
		boolean isNamed = true;
		Parameter[] declared = method.method().getParameters();
		for (int i = 0; i < declared.length; i++) {
			if (i != method.contextParameter()) {
				members.add(new ContractMember(members.size() + 1, declared[i].getName(), TypeRef.VOID,
						Aliases.of(declared[i])));
				isNamed &= declared[i].isNamePresent();
			}
		}
		return new RequestParameters(service + "/" + ProtobufCodec.methodName(method), members, isNamed,
				BareMethods.isBare(method));
	}

	/** Returns the name of the method in Pascal case. */
	String methodName() {
		return this.path.substring(this.path.lastIndexOf('/') + 1);
	}

}
