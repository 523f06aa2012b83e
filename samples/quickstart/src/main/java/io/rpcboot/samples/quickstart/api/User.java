package io.rpcboot.samples.quickstart.api;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A user, as a plain bean.
 */
public class User {

	private long id;

	private @Nullable String name;

	private int sex;

	private @Nullable LocalDate birthday;

	private @Nullable String email;

	private @Nullable String mobile;

	private @Nullable String address;

	private @Nullable String icon;

	private int status;

	private @Nullable LocalDateTime createTime;

	private @Nullable LocalDateTime updateTime;

	private @Nullable List<Integer> permissions;

	public long getId() {
		return this.id;
	}

	public void setId(long id) {
		this.id = id;
	}

	public @Nullable String getName() {
		return this.name;
	}

	public void setName(@Nullable String name) {
		this.name = name;
	}

	public int getSex() {
		return this.sex;
	}

	public void setSex(int sex) {
		this.sex = sex;
	}

	public @Nullable LocalDate getBirthday() {
		return this.birthday;
	}

	public void setBirthday(@Nullable LocalDate birthday) {
		this.birthday = birthday;
	}

	public @Nullable String getEmail() {
		return this.email;
	}

	public void setEmail(@Nullable String email) {
		this.email = email;
	}

	public @Nullable String getMobile() {
		return this.mobile;
	}

	public void setMobile(@Nullable String mobile) {
		this.mobile = mobile;
	}

	public @Nullable String getAddress() {
		return this.address;
	}

	public void setAddress(@Nullable String address) {
		this.address = address;
	}

	public @Nullable String getIcon() {
		return this.icon;
	}

	public void setIcon(@Nullable String icon) {
		this.icon = icon;
	}

	public int getStatus() {
		return this.status;
	}

	public void setStatus(int status) {
		this.status = status;
	}

	public @Nullable LocalDateTime getCreateTime() {
		return this.createTime;
	}

	public void setCreateTime(@Nullable LocalDateTime createTime) {
		this.createTime = createTime;
	}

	public @Nullable LocalDateTime getUpdateTime() {
		return this.updateTime;
	}

	public void setUpdateTime(@Nullable LocalDateTime updateTime) {
		this.updateTime = updateTime;
	}

	public @Nullable List<Integer> getPermissions() {
		return this.permissions;
	}

	public void setPermissions(@Nullable List<Integer> permissions) {
		this.permissions = permissions;
	}

	@Override
	public String toString() {
		return "User[id=" + this.id + ", name=" + this.name + ", sex=" + this.sex + ", birthday=" + this.birthday
				+ ", email=" + this.email + ", mobile=" + this.mobile + ", address=" + this.address + ", icon="
				+ this.icon + ", status=" + this.status + ", createTime=" + this.createTime + ", updateTime="
				+ this.updateTime + ", permissions=" + this.permissions + "]";
	}

}
